namespace Transfer.S3.Testing;

/// <summary>Verifies what a <see cref="TransferException"/> is about.</summary>
public static class ErrorAssertions
{
    extension(Assert)
    {
        /// <summary>Verifies that an action throws an exception with an error.</summary>
        /// <param name="error">The expected error.</param>
        /// <param name="action">The action.</param>
        /// <returns>The exception.</returns>
        public static TransferException ThrowsError(TransferError error, Action action) => Assert.IsError(error, Assert.Throws<TransferException>(action));

        /// <inheritdoc cref="ThrowsError(TransferError, Action)"/>
        public static async Task<TransferException> ThrowsErrorAsync(TransferError error, Func<Task> action) => Assert.IsError(error, await Assert.ThrowsAsync<TransferException>(action));

        /// <summary>Verifies that an exception has an error.</summary>
        /// <param name="error">The expected error.</param>
        /// <param name="exception">The exception.</param>
        /// <returns>The exception.</returns>
        public static TransferException IsError(TransferError error, Exception? exception)
        {
            TransferException e = Assert.IsType<TransferException>(exception);
            Assert.True(e.Error == error, $"expected {error}, but was {e.Error}: {e.Message}");
            return e;
        }

        /// <summary>Verifies that an exception has another error.</summary>
        /// <param name="error">The error that isn't expected.</param>
        /// <param name="exception">The exception.</param>
        public static void IsNotError(TransferError error, TransferException exception) => Assert.NotEqual(error, exception.Error);
    }
}
