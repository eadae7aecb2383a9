/** A section of a course, as the feed tells of it. */
export interface Section {
  readonly termId: string;
  readonly campusCode: string;
  readonly indexNumber: string;
  readonly sectionNumber: string;
  readonly courseTitle: string;
  readonly courseString: string;
  readonly meetingSummary: string;
  readonly status: 'Open' | 'Closed' | 'Wait';
}

/** A section that has just become open. */
export interface Opened {
  readonly section: Section;
  readonly statusBefore: 'Closed' | 'Wait';
}

/** By what a section is known; it is also the topic that people subscribe to. */
export const topicOf = ({ termId, campusCode, indexNumber }: Section): string =>
  `${termId}:${campusCode}:${indexNumber}`;

/**
 * Which sections are open now and were not before. One that is seen for the first time tells nothing: nobody knows how
 * long it has been open.
 */
export const openedSince = (
  before: ReadonlyMap<string, Section['status']>,
  sections: readonly Section[],
): readonly Opened[] =>
  sections.flatMap((section) => {
    const statusBefore = before.get(topicOf(section));
    const isNew = section.status === 'Open' && (statusBefore === 'Closed' || statusBefore === 'Wait');
    return isNew ? [{ section, statusBefore }] : [];
  });
