using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>What an upload's failed request means to its caller.</summary>
internal static class Failures
{
    public static TransferException Of(ObjectAddress address, string what, int? partNumber, WireException e)
    {
        string message = $"{address}, {what}: {e.Message}{e.AttemptsText}";
        return e.Kind == FailureKind.Corrupt
            ? new ChecksumMismatchException(message, address, e) { PartNumber = partNumber }
            : new TransferException(message, address, e) { PartNumber = partNumber };
    }
}
