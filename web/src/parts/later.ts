import { useEffect, useState } from 'react';

/**
 * False at first, true a moment after that was drawn. What is dear to draw comes in parts, so that the browser can
 * answer keys and clicks between them.
 */
export function useLater(): boolean {
  const [later, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true));
    return () => clearTimeout(timer);
  }, []);
  return later;
}
