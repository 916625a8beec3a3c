// A sorted sequence in contiguous memory, whose elements are removed mostly
// near its ends.
//
// The scheduler traverses the queue and the list of active jobs far more often
// than it changes them, so they are flat.  erase() closes the gap from the nearer
// end: removing the front of a queue of 20,000 jobs moves no other element.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace maui {

template <class T>
class FlatQueue {
 public:
  std::span<const T> view() const { return std::span<const T>(items_).subspan(head_); }
  /// The caller must keep the elements in order.
  std::span<T> all() { return std::span<T>(items_).subspan(head_); }
  std::size_t size() const { return items_.size() - head_; }
  T& operator[](std::size_t i) { return items_[head_ + i]; }

  /// Returns the index of the first element that does not come before `key`.
  template <class Key, class Before>
  std::size_t place(const Key& key, Before before) const {
    const auto all = view();
    // New arrivals nearly always belong at the end.
    if (all.empty() || before(all.back(), key)) return all.size();
    return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), key, before) -
                                    all.begin());
  }

  void insert(std::size_t place, const T& item) {
    if (head_ > 0 && place < size() / 2) {
      const auto front = items_.begin() + static_cast<std::ptrdiff_t>(head_);
      std::move(front, front + static_cast<std::ptrdiff_t>(place), front - 1);
      --head_;
      items_[head_ + place] = item;
    } else {
      items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(head_ + place), item);
    }
  }

  void erase(std::size_t place) {
    const auto front = items_.begin() + static_cast<std::ptrdiff_t>(head_);
    const auto gone = front + static_cast<std::ptrdiff_t>(place);
    if (place < size() / 2) {
      std::move_backward(front, gone, gone + 1);
      ++head_;
    } else {
      items_.erase(gone);
    }
    // The dead front never grows beyond the live elements by more than 64.
    if (head_ > size() + 64) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
  }

 private:
  std::vector<T> items_;
  std::size_t head_ = 0;  // number of dead elements at the front
};

}  // namespace maui
