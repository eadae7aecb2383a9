/** One mailbox, already checked: the address by the strict grammar of `address.ts`, the name free of controls. */
export interface Mailbox {
  readonly email: string;
  readonly name?: string;
}

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly contentBase64: string;
  /** Set for an image that the html shows as `cid:…`; it then travels inside `multipart/related`. */
  readonly contentId?: string;
}

export interface CalendarPart {
  /** The whole `VCALENDAR`; its METHOD must agree with `method`. */
  readonly content: string;
  readonly method: string;
}

/**
 * A mail whose content is fixed: what is stored, and what every try sends again. It was validated once, at the
 * door; nobody parses it again. Bcc belongs to the envelope and never reaches a header.
 */
export interface Mail {
  readonly from: Mailbox;
  readonly to: Mailbox;
  /** For what goes to a person on LinkedIn: the network's own id of him. */
  readonly linkedinId?: string;
  readonly cc?: readonly Mailbox[];
  readonly bcc?: readonly Mailbox[];
  readonly replyTo?: Mailbox;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly ics?: CalendarPart;
  readonly attachments?: readonly Attachment[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Threading of follow-ups: Message-IDs with their angle brackets. */
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
  /** The provider's own name of the conversation that it goes on in; no header. */
  readonly threadId?: string;
  /** Asks for RFC 8058 one-click headers. Receivers offer them for https alone; on a machine of one's own it may be http. */
  readonly unsubscribeUrl?: string;
}
