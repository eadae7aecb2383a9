import { dayOf, toGuest, type Letter, type Scene } from './house.js';
import { page, paragraph } from './page.js';
import { pdf } from './pdf.js';
import { someStay } from './stay.js';

const VAT_PERCENT = 7;

/** With a PDF. An invoice that came twice would be paid twice, so a doubt is for a person. */
export function invoice({ guest, at, dice }: Scene): Letter {
  const { room, euros, nights, reference } = someStay(dice, at, -dice.between(1, 4));
  const number = `${String(new Date(at).getUTCFullYear())}-${String(dice.between(1_000, 9_999))}`;
  const file = pdf([
    'Harbour Rooms',
    `Invoice ${number}, ${dayOf(at)}`,
    '',
    guest.name,
    `${String(nights)} x ${room}   EUR ${String(euros)}.00`,
    `VAT ${String(VAT_PERCENT)} % included`,
    `Reference ${reference}`,
    '',
    'This is a demo: nothing has to be paid.',
  ]);
  const thanks = 'Thank you for staying with us. The invoice is attached, and it is paid already.';
  return {
    from: 'bookings',
    mail: {
      to: toGuest(guest),
      subject: `Invoice ${number}`,
      text: `Dear ${guest.first},\n\n${thanks}\n\nHarbour Rooms\n`,
      html: page(`Invoice ${number}`, paragraph(`Dear ${guest.first},`), paragraph(thanks)),
      attachments: [
        {
          filename: `invoice-${number}.pdf`,
          contentType: 'application/pdf',
          contentBase64: file.toString('base64'),
        },
      ],
      onDoubt: 'hold',
    },
  };
}
