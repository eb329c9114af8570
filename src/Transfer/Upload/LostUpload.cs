using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>A multipart upload that the store may have begun without our hearing of it: the answer was lost, and with it the id that would end it.</summary>
internal static class LostUpload
{
    /// <summary>Says so where there may be one. Looking for it would not help: it can't be told from one that somebody else has just begun.</summary>
    /// <returns>What to report beside a failure; null where no answer was lost.</returns>
    public static TransferException? Tell(ClientContext context, ObjectAddress address, UnclearAttempts creating)
    {
        if (!creating.LostAnswer)
        {
            return null;
        }

        Log.UploadMayBeOpen(context.Logger, address.Bucket, address.Key);
        return new TransferException(
            $"{address}: the store may have begun a multipart upload whose answer was lost. Nobody here knows its id; {nameof(ITransferClient.AbortUploadsAsync)} finds it and ends it.")
        {
            Bucket = address.Bucket,
            Key = address.Key,
        };
    }
}
