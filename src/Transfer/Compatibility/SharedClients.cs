using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.Scheduling;

namespace Transfer.Compatibility;

/// <summary>
/// The clients behind adapters: one for an <see cref="IAmazonS3"/> and a set of settings, as long as that <see cref="IAmazonS3"/> lives. A utility made for
/// one call and disposed after it is common, and costs nothing with the SDK; connections of its own would.
/// </summary>
internal static class SharedClients
{
    private static readonly ConditionalWeakTable<IAmazonS3, ConcurrentDictionary<(int? Concurrency, long Threshold), TransferClient>> Clients = [];

    public static TransferClient Get(IAmazonS3 s3, TransferUtilityConfig? config)
    {
        // What goes up in parts is decided as the SDK does, and the parts are of one size: so are the entity tags. Its default concurrency is not worth keeping.
        TransferUtilityConfig given = config ?? new TransferUtilityConfig();
        int? concurrency = config is null ? null : Math.Min(config.ConcurrentServiceRequests, TransferDefaults.MaxConcurrency);
        long threshold = Math.Clamp(given.MinSizeBeforePartUpload, 0, TransferDefaults.MaxPutBytes);
        return Clients.GetValue(s3, static _ => []).GetOrAdd((concurrency, threshold), static (key, s3) => new TransferClient(s3, Options(key)), s3);

        static TransferClientOptions Options((int? Concurrency, long Threshold) key) => new()
        {
            Concurrency = key.Concurrency,
            MultipartThresholdBytes = key.Threshold,
            ListObjectsV1 = true, // what is set up or decorated for the SDK's utility
        };
    }
}
