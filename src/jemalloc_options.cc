// Options that jemalloc reads when the scheduler starts.  Only one thread allocates, so one arena
// is enough.  Large blocks return to the system when they are freed: the daemon's memory reserve
// depends on that.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "narenas:1,retain:false";
}
