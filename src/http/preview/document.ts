/** An image that travels with its mail; its html shows it as `cid:…`. */
export interface MailImage {
  readonly contentId: string;
  readonly contentType: string;
  readonly contentBase64: string;
}

/** One image may be named any number of times, and each becomes a copy; what does not fit stays unseen. */
const MOST_INLINED_CHARACTERS = 24 * 1024 * 1024;

/**
 * Links open elsewhere, which the sandbox forbids: a click does nothing, and the address still shows on hover.
 * Without it a click would replace the mail by the browser's page about what is blocked.
 */
const OPENING = '<!doctype html><base target="_blank">';

/**
 * These fetch or redirect what no policy speaks of: `<link rel=preconnect>` opens a connection to any host it names.
 * A tag's name has one spelling in HTML, case apart: no entity or comment can stand in it. So what is replaced here
 * can't come back, whatever else the text does; that is why no parser is needed. `basefont` means nothing to any
 * browser, may stand wherever these may, and like them holds nothing.
 */
const CONNECTING_TAGS = /<(?:link|meta|base)(?=[\s/>]|$)/gi;

const IMAGE_TYPE = /^image\/[\w.+-]{1,100}$/i;
/** In an attribute or in `url(…)`; a `cid:` that somebody writes about is left alone. */
const IMAGE_REFERENCE = /(?<=[="'(;]\s{0,9})cid:([^\s"'()<>&\\]{1,1000})/gi;

/** The mail's own html as a document for a frame. It is as hostile as it came: only the policy makes it harmless. */
export function previewDocument(html: string, images: readonly MailImage[]): string {
  const known = new Map(images.map((image) => [image.contentId, image]));
  let room = MOST_INLINED_CHARACTERS;
  const body = html
    .replace(CONNECTING_TAGS, '<basefont')
    .replace(IMAGE_REFERENCE, (reference, id: string) => {
      const image = known.get(decoded(id)) ?? known.get(id);
      if (!image || !IMAGE_TYPE.test(image.contentType)) return reference;
      room -= image.contentBase64.length;
      return room < 0 ? reference : `data:${image.contentType};base64,${image.contentBase64}`;
    });
  return OPENING + body;
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
