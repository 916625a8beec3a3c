// Names of the events and actions of TRIGGER (seed 7.1.5.2).
#pragma once
#include "base/enum_names.h"
#include "maui/settings/standing_reservations.h"

namespace maui {

inline constexpr EnumName<TriggerEvent> kTriggerEvents[] = {
    {TriggerEvent::create, "create"},
    {TriggerEvent::start, "start"},
    {TriggerEvent::end, "end"},
    {TriggerEvent::min_load, "minload"},
};

inline constexpr EnumName<TriggerAction> kTriggerActions[] = {
    {TriggerAction::cancel, "cancel"},
    {TriggerAction::execute, "exec"},
    {TriggerAction::submit, "submit"},
};

}  // namespace maui
