import { toGuest, type Letter, type Scene } from './house.js';
import { pdf } from './pdf.js';

/** More than the provider takes; see `provider-rules.ts`. */
const LINES = 4_000;

/** A mail that is too large, and so a dead letter of the kind that needs a change. */
export function floorPlans({ guest }: Scene): Letter {
  const file = pdf(
    Array.from(
      { length: LINES },
      (_, n) => `Wall ${String(n)}: ${String((n * 37) % 400)} cm, drawn to scale`,
    ),
  );
  return {
    from: 'team',
    mail: {
      to: toGuest(guest),
      subject: 'The floor plans you asked for',
      text: `Dear ${guest.first},\n\nhere are the plans of the whole house, for your workshop.\n\nHarbour Rooms\n`,
      attachments: [
        {
          filename: 'floor-plans.pdf',
          contentType: 'application/pdf',
          contentBase64: file.toString('base64'),
        },
      ],
    },
  };
}
