using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Transfer.Scheduling;

/// <summary>
/// What a client has learned about If-None-Match on writes, for each bucket and operation. Some stores ignore the header and replace the object; others refuse
/// requests that have it.
/// </summary>
internal sealed class ConditionSupport(ILogger logger)
{
    private readonly ConcurrentDictionary<(string Bucket, PublishOperation Operation), ConditionLevel> _known = new();
    private readonly ConcurrentDictionary<(string Bucket, PublishOperation Operation), bool> _proofs = new();
    private readonly ConcurrentDictionary<string, bool> _warned = new();

    public ConditionLevel Of(string bucket, PublishOperation operation) => _known.GetValueOrDefault((bucket, operation));

    /// <summary>Remembers a 412.</summary>
    public void Honors(string bucket, PublishOperation operation) => _known.TryAdd((bucket, operation), ConditionLevel.Honored);

    /// <summary>Remembers that an object was replaced.</summary>
    public void Ignores(string bucket, PublishOperation operation)
    {
        if (_known.TryAdd((bucket, operation), ConditionLevel.Ignored) && _warned.TryAdd(bucket, true))
        {
            Log.ConditionIgnored(logger, bucket);
        }
    }

    /// <summary>Remembers a request that succeeded without the header only.</summary>
    public void Refuses(string bucket, PublishOperation operation, string reason)
    {
        if (_known.TryAdd((bucket, operation), ConditionLevel.Refused) && _warned.TryAdd(bucket, true))
        {
            Log.ConditionRefused(logger, bucket, reason);
        }
    }

    /// <summary>Starts the proof of an operation, if it is not known and nobody else proves it.</summary>
    public bool TryBeginProof(string bucket, PublishOperation operation)
        => Of(bucket, operation) == ConditionLevel.Unknown && _proofs.TryAdd((bucket, operation), true);

    /// <summary>Ends a proof, with a result or without.</summary>
    public void EndProof(string bucket, PublishOperation operation) => _proofs.TryRemove((bucket, operation), out _);
}
