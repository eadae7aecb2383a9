import { CONTACT_LIMITS } from '../core/contact.js';
import { Type } from '../vendor/typebox.js';

/** How they fit together is decided by `core/contact.ts`. */
const closed = { additionalProperties: false } as const;
const LONGEST_ADDRESS = 320;
const LONGEST_ID = 200;

const orNull = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));

const Scalar = Type.Union([
  Type.String({ maxLength: CONTACT_LIMITS.attributeText }),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
]);

export const ContactShape = Type.Object(
  {
    email: orNull(LONGEST_ADDRESS),
    name: orNull(CONTACT_LIMITS.name),
    linkedinId: orNull(LONGEST_ID),
    timezone: orNull(CONTACT_LIMITS.timezone),
    attributes: Type.Optional(
      Type.Record(Type.String(), Scalar, { maxProperties: CONTACT_LIMITS.attributes }),
    ),
  },
  closed,
);
