// SPDX-License-Identifier: Apache-2.0

/// A version of an asynchronous function that runs at most once in `pause` milliseconds, never twice at a time, and always once more
/// after the last call. Failures are the function's own business.
export function throttle(run, pause, signal) {
  let busy = false,
    wanted = false;
  const turn = async () => {
    busy = true;
    wanted = false;
    await run();
    setTimeout(() => {
      busy = false;
      if (wanted && !signal?.aborted) turn();
    }, pause);
  };
  return () => {
    if (signal?.aborted) return;
    wanted = true;
    if (!busy) turn();
  };
}
