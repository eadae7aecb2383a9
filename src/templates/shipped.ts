import { OPEN_SEAT } from '../core/mail-job.js';
import type { TemplateVariable } from '../store/scripts/templates.js';

/** What a new workspace has: a template for the contract that every sender of notifications knows. */
export const SHIPPED = {
  id: OPEN_SEAT,
  version: 'v1',
  locale: 'en',
  subject: 'A seat is open: {{ courseTitle }} ({{ sectionIndex }})',
  html: `<!doctype html>
<html lang="{{ locale }}" dir="{{ direction }}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A seat is open</title></head>
<body style="margin:0;background:#f4f5f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" style="max-width:560px;background:#ffffff;border-radius:8px" cellpadding="0" cellspacing="0"><tr>
<td style="padding:28px;font:16px/1.5 Arial,Helvetica,sans-serif;color:#1d2733">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">A seat is open in {{ courseTitle }}</h1>
<p style="margin:0 0 16px">{% if recipient.name %}Hello {{ recipient.name }},{% else %}Hello,{% endif %}<br>
a section that you watch has just opened.</p>
<p style="margin:0 0 16px"><strong>{{ courseString }} {{ courseTitle }}</strong><br>
Section {{ sectionNumber }}, index <strong>{{ sectionIndex }}</strong>{% if campus %}, {{ campus }}{% endif %}<br>
{{ meetingSummary }}</p>
{% if notes %}<p style="margin:0 0 16px">{{ notes }}</p>{% endif %}
<p style="margin:0 0 16px;color:#55616d">{% if eventDetectedAt %}Seen {{ eventDetectedAt | datetime: "long" }}. {% endif %}Seats go quickly.</p>
<p style="margin:0"><a href="{{ manageUrl }}" style="color:#0b5cad">Change or pause this alert</a>{% if unsubscribeUrl %}<br>
<a href="{{ unsubscribeUrl }}" style="color:#55616d">Stop this alert</a>{% endif %}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`,
  text: `{% if recipient.name %}Hello {{ recipient.name }},{% else %}Hello,{% endif %}

a section that you watch has just opened.

{{ courseString }} {{ courseTitle }}
Section {{ sectionNumber }}, index {{ sectionIndex }}{% if campus %}, {{ campus }}{% endif %}
{{ meetingSummary }}{% if notes %}

{{ notes }}{% endif %}

{% if eventDetectedAt %}Seen {{ eventDetectedAt | datetime: "long" }}. {% endif %}Seats go quickly.

Change or pause this alert: {{ manageUrl }}{% if unsubscribeUrl %}
Stop this alert: {{ unsubscribeUrl }}{% endif %}
`,
} as const;

/** As a check finds them; it takes a thread, and they are known. */
export const SHIPPED_VARIABLES: readonly TemplateVariable[] = [
  ...['courseTitle', 'sectionIndex'].map((name) => ({ name, required: true })),
  { name: 'recipient.name', required: false },
  ...['courseString', 'sectionNumber'].map((name) => ({ name, required: true })),
  { name: 'campus', required: false },
  { name: 'meetingSummary', required: true },
  { name: 'notes', required: false },
  { name: 'eventDetectedAt', required: false },
  { name: 'manageUrl', required: true },
  { name: 'unsubscribeUrl', required: false },
];

/** For a look at it without an event. */
export const SAMPLE_PAYLOAD = {
  ...{ courseTitle: 'Linear Algebra', courseString: '01:640:250', sectionNumber: '05', campus: 'Busch' },
  ...{ sectionIndex: '09214', indexNumber: '09214', meetingSummary: 'Mon, Thu 10:20–11:40, Hill 116' },
  ...{ termId: '20269', campusCode: 'NB', statusBefore: 'Closed', statusAfter: 'Open' },
} as const;
