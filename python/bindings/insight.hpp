// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "convert.hpp"
#include "summand/optimizer/optimizer.hpp"

// What an optimiser has learned, as dicts of plain values: for Optimizer and Study alike.
namespace summand::python {

nb::dict to_python(const StructureView& view);
nb::dict to_python(const GroupSlice& slice);
/// (kind, id, ...): ("asked", id, point, ask), ("told", id, value, reason), ("added", id, point, value, reason),
/// ("abandoned", id).
nb::tuple to_python(const Space& space, const Event& event);
/// Throws InvalidArgument for anything else.
Event event_from(const Space& space, const nb::handle& event);

}  // namespace summand::python
