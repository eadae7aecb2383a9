import { expect, test } from 'vitest';
import { ApiError } from '../../api/client';
import { acceptWords } from './accept-words';

test('says whether it may have worked, whether it makes sense to try again, or what is wrong', () => {
  expect(acceptWords(new ApiError(0, 'offline', 'x')).text).toContain('If it was set, sign in.');
  expect(acceptWords(new ApiError(401, 'invitation_over', 'x')).title).toBe('This invitation is over.');
  expect(acceptWords(new ApiError(400, 'invalid_input', 'password: is too short', 'password'))).toEqual({
    title: 'The password was not set.',
    text: expect.stringMatching(/too short/),
  });
});
