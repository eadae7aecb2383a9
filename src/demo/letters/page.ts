import { HOUSE, HOUSE_ADDRESS } from './house.js';

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${String(sign.charCodeAt(0))};`);

export const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escaped(text)}</p>`;

/** The target is nowhere: nothing of a demo leads out of it. */
export const button = (text: string, path: string): string =>
  `<p style="margin:0 0 20px"><a href="https://harbourrooms.example/${path}" style="display:inline-block;padding:10px 16px;` +
  `background:#1f3d4d;color:#ffffff;text-decoration:none;border-radius:4px">${escaped(text)}</a></p>`;

export const facts = (rows: readonly (readonly [name: string, value: string])[]): string =>
  `<table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 20px">${rows
    .map(
      ([name, value]) =>
        `<tr><td style="padding:8px 0;border-bottom:1px solid #dde3e6;color:#5a6a73">${escaped(name)}</td>` +
        `<td style="padding:8px 0;border-bottom:1px solid #dde3e6">${escaped(value)}</td></tr>`,
    )
    .join('')}</table>`;

/** A whole mail as a page: plain tables and styles of its own, as mail programs want it. */
export const page = (title: string, ...parts: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>` +
  `<body style="margin:0;background:#eef2f3;font-family:Georgia,serif;font-size:16px;line-height:1.5;color:#1b262c">` +
  `<div style="max-width:520px;margin:24px auto;background:#ffffff;border-radius:6px;overflow:hidden">` +
  `<div style="background:#1f3d4d;color:#ffffff;padding:18px 24px;font-size:19px">${HOUSE}</div>` +
  `<div style="padding:24px"><h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escaped(title)}</h1>` +
  `${parts.join('')}<p style="margin:24px 0 0;color:#5a6a73;font-size:13px">${HOUSE_ADDRESS}. ` +
  `This is a demo: nobody has booked anything.</p></div></div></body></html>`;
