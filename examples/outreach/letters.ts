/** What people are written to: two mails, the second in the thread of the first, unless they have answered. */
export const STEPS = [
  {
    order: 1,
    delayDays: 0,
    subject: 'Rooms in autumn, {{ contact.name }}',
    body: '<p>Dear {{ contact.name }},</p><p>how is {{ contact.attributes.city | default: "it" }}? We have rooms by the sea.</p>',
  },
  { order: 2, delayDays: 2, body: '<p>Dear {{ contact.name }}, did you see my mail?</p>' },
];
