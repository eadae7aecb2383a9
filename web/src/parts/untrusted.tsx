import { visible } from './visible';

/** A name, an address or a subject, whoever wrote it: on its own in its direction, and nothing unseen in it. */
export const Untrusted = ({ text }: { readonly text: string }) => <bdi>{visible(text)}</bdi>;
