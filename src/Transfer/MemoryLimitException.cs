namespace Transfer.S3;

/// <summary>The exception that is thrown when the memory budget can't grant what a transfer needs. Callers see it as a <see cref="TransferException"/> with <see cref="TransferError.MemoryLimit"/>.</summary>
internal sealed class MemoryLimitException(string message) : TransferException(message);
