/** What leaves this program as JSON is in camelCase, with instants as ISO 8601 in UTC. One shape for the CLI and HTTP. */
export const iso = (instant: number): string => new Date(instant).toISOString();

export const presentInstant = (instant: number | null): string | null =>
  instant === null ? null : iso(instant);
