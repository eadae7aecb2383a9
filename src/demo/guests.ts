import type { Dice } from './dice.js';

export interface Guest {
  readonly first: string;
  readonly name: string;
  readonly email: string;
}

/** Domains whose mail servers have a way of their own; see `provider-rules.ts`. */
export const TROUBLED = {
  /** Cannot look up its recipients, now and then. */
  flaky: 'stonebridge.example',
  /** Has closed: nobody is known there. */
  closed: 'lamplight-inn.example',
  /** What a guest typed who meant larkpost. */
  mistyped: 'larkpots.example',
  /** Takes no mail of this kind. */
  strict: 'brookhall-law.example',
  /** Hangs up before it has answered. */
  hasty: 'ferryline.example',
} as const;
export type Trouble = keyof typeof TROUBLED;

/** His mailbox is full. */
export const FULL_MAILBOX = 'odile.marchetti@fenmail.example';

const ORDINARY = [
  'larkpost.example',
  'fenmail.example',
  'tidewater.example',
  'otterpost.example',
  'northlight.example',
  'millbrook.example',
  'hillside-school.example',
] as const;

const FIRST = [
  ...['Amara', 'Bence', 'Chiara', 'Dara', 'Elif', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jarek', 'Keiko', 'Liam'],
  ...['Maite', 'Nuria', 'Odile', 'Pavel', 'Rosa', 'Samir', 'Tove', 'Ulla', 'Viggo', 'Wanda', 'Yusuf', 'Zora'],
];

const LAST = [
  ...[
    'Abelson',
    'Brandt',
    'Castellan',
    'Dufour',
    'Eriksen',
    'Fontaine',
    'Galway',
    'Hollis',
    'Iversen',
    'Jansky',
  ],
  ...['Kowalczyk', 'Lindgren', 'Marchetti', 'Nakagawa', 'Oyelaran', 'Pereira', 'Quist', 'Rahman', 'Sandoval'],
  ...['Thorne', 'Usman', 'Varga', 'Whitlock', 'Yamada', 'Zeller'],
];

/** Somebody, at one of the domains that just take their mail, or where there is trouble. */
export function someGuest(dice: Dice, trouble?: Trouble): Guest {
  const first = dice.pick(FIRST);
  const last = dice.pick(LAST);
  const domain = trouble ? TROUBLED[trouble] : dice.pick(ORDINARY);
  return { first, name: `${first} ${last}`, email: `${first}.${last}@${domain}`.toLowerCase() };
}
