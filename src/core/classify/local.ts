import { LOCAL_RULES, type LocalCondition, type LocalFault } from './local-rules.js';
import { firstMatch, verdictOf, type Verdict } from './rules.js';

export function classifyLocal(fault: LocalFault): Verdict {
  const left = fault.gatePassed && fault.phase !== 'connect' && fault.phase !== 'tls';
  return verdictOf(firstMatch(LOCAL_RULES, (when) => holds(when, fault, left)));
}

function holds(
  { codes, prefixes, phases, left, idempotent }: LocalCondition,
  fault: LocalFault,
  gone: boolean,
) {
  if (left !== undefined && left !== gone) return false;
  if (idempotent !== undefined && idempotent !== (fault.idempotent ?? false)) return false;
  if (phases !== undefined && (fault.phase === undefined || !phases.includes(fault.phase))) return false;
  if (codes === undefined && prefixes === undefined) return true;
  return (
    codes?.includes(fault.code) === true || prefixes?.some((prefix) => fault.code.startsWith(prefix)) === true
  );
}
