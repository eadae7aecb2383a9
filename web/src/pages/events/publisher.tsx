import { Untrusted } from '../../parts/untrusted';

/** A key, a person, the command line; whoever calls the library says no name. */
export const publisherWords = (publisher: string) =>
  publisher === 'library' ? 'a program' : <Untrusted text={publisher} />;
