using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.S3.Requests;

namespace Transfer.S3.TransferUtility;

/// <summary>
/// The clients of adapters: one for each <see cref="IAmazonS3"/> and set of settings, as long as the <see cref="IAmazonS3"/> exists. It is common to create a
/// utility for one call and dispose it afterward. That costs nothing with the SDK, but would cost new connections here.
/// </summary>
internal static class SharedClients
{
    private static readonly ConditionalWeakTable<IAmazonS3, ConcurrentDictionary<(int? Concurrency, long Threshold), TransferClient>> Clients = [];

    public static TransferClient Get(IAmazonS3 s3, TransferUtilityConfig? config)
    {
        // The threshold and the part size are those of the SDK, so that ETags are the same. The SDK's default concurrency is not used.
        TransferUtilityConfig given = config ?? new TransferUtilityConfig();
        int? concurrency = config is null ? null : Math.Min(config.ConcurrentServiceRequests, TransferDefaults.MaxConcurrency);
        long threshold = Math.Clamp(given.MinSizeBeforePartUpload, 0, TransferDefaults.MaxPutBytes);
        return Clients.GetValue(s3, static _ => []).GetOrAdd((concurrency, threshold), static (key, s3) => new TransferClient(s3, Options(key)), s3);

        static TransferClientOptions Options((int? Concurrency, long Threshold) key) => new()
        {
            MaxConcurrency = key.Concurrency,
            MultipartThresholdBytes = key.Threshold,
            ListObjectsV1 = true, // mocks and decorators are made for the SDK's utility
        };
    }
}
