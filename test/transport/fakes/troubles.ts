import { write, type Reply, type Trouble } from './fake-provider.js';

/** The connection goes before the request was read: nothing was taken. */
export const cutUnread: Trouble = { early: (request) => request.socket.destroy() };

export const cutUnaccepted: Trouble = { late: (response) => response.socket?.destroy() };

export const cutAccepted: Trouble = {
  late: (response, accept) => {
    accept();
    response.socket?.destroy();
  },
};

/** Half a status line, and gone. */
export const halfAnswer: Trouble = {
  late: (response, accept) => {
    accept();
    response.socket?.end('HTTP/1.1 20');
  },
};

export const garbage: Trouble = {
  late: (response, accept) => {
    accept();
    response.socket?.end('\0\0\u0001 250 OK\r\n\r\n');
  },
};

export const silentUnaccepted: Trouble = { late: () => undefined };

export const silentAccepted: Trouble = { late: (_, accept) => void accept() };

/** A head in good order, and a body that never ends. */
export const trickling: Trouble = {
  late: (response, accept) => {
    const { status } = accept();
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"id":');
  },
};

/** Without taking anything. */
export const answering = (reply: Reply): Trouble => ({ late: (response) => write(response, reply) });

/** Takes it and says something else. */
export const acceptedBut = (reply: (usual: Reply) => Reply): Trouble => ({
  late: (response, accept) => write(response, reply(accept())),
});

export const oversized = acceptedBut(({ status }) => ({ status, body: 'x'.repeat(2_000_000) }));

export const malformed = acceptedBut(({ status }) => ({ status, body: '{"id": oops' }));

export const redirected = (location: string): Trouble => answering({ status: 307, headers: { location } });
