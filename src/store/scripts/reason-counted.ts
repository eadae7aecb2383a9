/** Why a notification `m` is in a state, by its row `o` in `outcomes`, where an event counts that. As a settlement counts it. */
export const reasonCounted = (state: string): string => `case
  when m.event_id is null then null
  when ${state} = 'dead' then coalesce(m.error_code, o.reason)
  when ${state} in ('skipped', 'expired', 'cancelled') then o.reason end`;
