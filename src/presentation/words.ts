import { ROLES, SCOPES } from '../core/access.js';
import { ALL_STATES } from '../core/lifecycle.js';
import { ACTIONS, ATTEMPT_OUTCOMES, LANES } from '../core/message.js';
import { ERROR_CLASSES } from '../core/report.js';
import { word } from './shape.js';

/** The words that several answers use, under the names that everybody knows them by. */
export const StateWord = word(ALL_STATES, { title: 'State' });
export const LaneWord = word(LANES, { title: 'Lane' });
export const ActionWord = word(ACTIONS, { title: 'Action' });
export const OutcomeWord = word(ATTEMPT_OUTCOMES, { title: 'AttemptOutcome' });
export const ErrorClassWord = word(ERROR_CLASSES, { title: 'ErrorClass' });
export const RoleWord = word(ROLES, { title: 'Role' });
export const ScopeWord = word(SCOPES, { title: 'Scope' });
export const LevelWord = word(['fine', 'look', 'act'], {
  title: 'Level',
  description: '`act`: mail does not leave. `look`: it leaves, but something waits for a person, or lags.',
});
