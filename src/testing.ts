export { FAULT_POINTS, type FaultPoint, type Probe } from './engine/fault-points.js';
export {
  scriptedTransport,
  type ScriptedAnswer,
  type ScriptedOptions,
  type ScriptedRequest,
} from './transport/scripted.js';
