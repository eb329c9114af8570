using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>What an upload's failed request means to its caller.</summary>
internal static class Failures
{
    public static TransferException Of(ObjectAddress address, string what, int? partNumber, WireException e)
    {
        string attempts = e.Attempts > 1 ? $" ({e.Attempts} attempts)" : string.Empty;
        string message = $"{address}, {what}: {e.Message}{attempts}";
        if (e.Kind == FailureKind.Corrupt)
        {
            return new ChecksumMismatchException(message, e)
            {
                Bucket = address.Bucket,
                Key = address.Key,
                PartNumber = partNumber,
                StatusCode = e.StatusCode,
                ErrorCode = e.ErrorCode,
                RequestId = e.RequestId,
                Attempts = e.Attempts,
            };
        }

        return new TransferException(message, e)
        {
            Bucket = address.Bucket,
            Key = address.Key,
            PartNumber = partNumber,
            StatusCode = e.StatusCode,
            ErrorCode = e.ErrorCode,
            RequestId = e.RequestId,
            Attempts = e.Attempts,
        };
    }
}
