import { createServer, type Server } from 'node:http';
import type { Section } from './sections.js';

/**
 * A feed to try it with: `GET /sections` tells, `PUT /sections/INDEX { "status": "Open" }` changes one. Not for anything
 * else: whoever reaches it may change it.
 */
export function feedServer(sections: Section[]): Server {
  return createServer((request, reply) => {
    const answer = (status: number, body: object) => {
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const index = /^\/sections\/([\w-]{1,40})$/.exec(request.url ?? '')?.[1];
    if (request.method === 'GET' && request.url === '/sections') answer(200, { sections });
    else if (request.method === 'PUT' && index !== undefined) {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += body.length < 1_000 ? chunk.toString() : ''));
      request.on('end', () => {
        const at = sections.findIndex(({ indexNumber }) => indexNumber === index);
        const known = sections[at];
        const status = /"status"\s?:\s?"(Open|Closed|Wait)"/.exec(body)?.[1] as Section['status'] | undefined;
        if (!known || !status)
          return answer(known ? 400 : 404, { error: 'no such section, or no such status' });
        sections[at] = { ...known, status };
        answer(200, sections[at]);
      });
    } else answer(404, { error: 'there is GET /sections and PUT /sections/INDEX' });
  });
}

export const SECTIONS: readonly Section[] = [
  {
    ...{ termId: '20269', campusCode: 'NB', indexNumber: '09214', sectionNumber: '05', status: 'Closed' },
    ...{ courseTitle: 'Linear Algebra', courseString: '01:640:250' },
    meetingSummary: 'Mon, Thu 10:20-11:40, Hill 116',
  },
  {
    ...{ termId: '20269', campusCode: 'NB', indexNumber: '11873', sectionNumber: '02', status: 'Wait' },
    ...{ courseTitle: 'Data Structures', courseString: '01:198:112' },
    meetingSummary: 'Tue, Fri 14:00-15:20, Core 101',
  },
];
