package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/** Runs calls that must raise a {@code CallError}, and returns it or its error class. */
final class Raised {
    private Raised() {}

    static CallError fault(ThrowingCallable call) {
        CallError fault = catchThrowableOfType(CallError.class, call);
        assertThat(fault).as("the call did not raise a fault").isNotNull();
        return fault;
    }

    static ErrorClass error(ThrowingCallable call) {
        return fault(call).error();
    }
}
