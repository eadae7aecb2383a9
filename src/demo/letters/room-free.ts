import type { Pillarbox } from '../../library/pillarbox.js';
import { HOUSE } from './house.js';

type VersionInput = Parameters<Pillarbox['templates']['saveVersion']>[1];

export const ROOM_FREE = 'room-free';

const page = (title: string, lines: string, links: string): string => `<!doctype html>
<html lang="{{ locale }}" dir="{{ direction }}">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 Arial,Helvetica,sans-serif;color:#1d2733">
${lines}
<p>${HOUSE}</p>
<p style="color:#55616d">${links}</p>
</body>
</html>
`;

const ENGLISH = {
  locale: 'en',
  subject: '{{ title }}: {{ nights }} nights from {{ arrival | date: "full" }}',
  html: page(
    '{{ room }}',
    `<p>{% if recipient.name %}Dear {{ recipient.name }},{% else %}Hello,{% endif %}</p>
<p>{{ title }}: {{ nights }} nights from {{ arrival | date: "full" }}, at {{ price }} a night.{% if statusAfter == "Free" %} Whoever answers first has it.{% endif %}</p>`,
    '<a href="{{ manageUrl }}">Change or pause this alert</a>{% if unsubscribeUrl %}, <a href="{{ unsubscribeUrl }}">stop it</a>{% endif %}',
  ),
};

const FRENCH_TITLE =
  '{{ room }}, {% if statusAfter == "Free" %}de nouveau libre{% else %}déjà prise{% endif %}';

const FRENCH = {
  locale: 'fr',
  subject: `${FRENCH_TITLE} : {{ nights }} nuits à partir du {{ arrival | date: "full" }}`,
  html: page(
    '{{ room }}',
    `<p>{% if recipient.name %}Bonjour {{ recipient.name }},{% else %}Bonjour,{% endif %}</p>
<p>${FRENCH_TITLE} : {{ nights }} nuits à partir du {{ arrival | date: "full" }}, à {{ price }} la nuit.{% if statusAfter == "Free" %} La première réponse l’emporte.{% endif %}</p>`,
    '<a href="{{ manageUrl }}">Modifier ou suspendre cette alerte</a>{% if unsubscribeUrl %}, <a href="{{ unsubscribeUrl }}">l’arrêter</a>{% endif %}',
  ),
};

/** As it was first written, in one language; and as it is now: whoever reads neither gets the English one. */
export const ROOM_FREE_VERSIONS: readonly VersionInput[] = [
  {
    version: 'v1',
    isNew: true,
    texts: [
      { ...ENGLISH, subject: '{{ room }} is free', html: null, text: '{{ title }}.\n\n{{ manageUrl }}\n' },
    ],
  },
  { version: 'v2', isNew: true, fallbackLocale: 'en', texts: [ENGLISH, FRENCH] },
];
