// The fence between the scheduler and the world, where another host may take its place: a moment
// after which it does nothing any more.
//
// pass_fence() stands right before everything that others could see: a line or a file written, a
// request to a resource manager, a program started, an answer to a client.  Whoever comes too late
// waits there: either the lease is renewed, and it goes on as if nothing had been, or another
// scheduler has it, and the process ends.  Without a lease there is no such moment.
//
// The fence belongs to the process, as the memory and the signals do.
#pragma once
#include <chrono>

namespace maui {

/// Nothing passes from that moment on, by boot_time().  May be called by any thread; later moments
/// let go on who waits.
void set_fence(std::chrono::nanoseconds closes);
/// Takes the fence away.
void remove_fence();
/// True while it may be passed.
bool fence_is_open();
/// Returns at once while the fence is open; else waits until it is.  Meanwhile SIGTERM and SIGINT
/// end the process at once: nothing that it knows may be written any more.
void pass_fence();
/// How long has been waited at the fence since this was asked last.
std::chrono::nanoseconds take_fenced_time();

}  // namespace maui
