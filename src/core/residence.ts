/**
 * Where a database lives, as far as it can be told from inside: a file and when it came into being, or a server and
 * the number of the database in it. A copy, and a backup that was restored, live somewhere else.
 */
export interface Residence {
  readonly id: string;
  /** Undefined: this file system does not say. */
  readonly since?: string | undefined;
}

export const formatResidence = ({ id, since }: Residence): string =>
  since === undefined ? id : `${id} ${since}`;

/** What is not known on both sides can't differ. */
export function isSameResidence(known: string, { id, since }: Residence): boolean {
  const [knownId, knownSince] = known.split(' ');
  return id === knownId && (since === undefined || knownSince === undefined || since === knownSince);
}
