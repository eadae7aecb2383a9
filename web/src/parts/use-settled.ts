import { useEffect, useState } from 'react';

/** What it was when nobody had changed it for so long. Compared by what it says, not by what it is. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, settle] = useState(value);
  const said = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(JSON.parse(said) as T), ms);
    return () => clearTimeout(timer);
  }, [said, ms]);
  return settled;
}
