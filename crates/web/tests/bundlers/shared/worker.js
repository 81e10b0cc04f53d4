// A worker of one line, which every bundler can build.
import "pteron/worker";
