using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Transfer.Scheduling;

/// <summary>
/// Remembers the support for If-None-Match on writes, for each bucket and operation. Some stores ignore the header and replace the object; others refuse
/// requests with the header.
/// </summary>
internal sealed class ConditionSupport(ILogger logger)
{
    private readonly ConcurrentDictionary<(string Bucket, PublishOperation Operation), ConditionLevel> _known = new();
    private readonly ConcurrentDictionary<(string Bucket, PublishOperation Operation), bool> _proofs = new();
    private readonly ConcurrentDictionary<string, bool> _warned = new();

    public ConditionLevel Of(string bucket, PublishOperation operation) => _known.GetValueOrDefault((bucket, operation));

    /// <summary>Remembers a response with status 412.</summary>
    public void Honors(string bucket, PublishOperation operation) => _known.TryAdd((bucket, operation), ConditionLevel.Honored);

    /// <summary>Remembers that an object was replaced.</summary>
    public void Ignores(string bucket, PublishOperation operation)
    {
        if (_known.TryAdd((bucket, operation), ConditionLevel.Ignored) && _warned.TryAdd(bucket, true))
        {
            Log.ConditionIgnored(logger, bucket);
        }
    }

    /// <summary>Remembers that a request succeeded only without the header.</summary>
    public void Refuses(string bucket, PublishOperation operation, string reason)
    {
        if (_known.TryAdd((bucket, operation), ConditionLevel.Refused) && _warned.TryAdd(bucket, true))
        {
            Log.ConditionRefused(logger, bucket, reason);
        }
    }

    /// <summary>Begins a check of an operation, if its support isn't known and no other check is in progress.</summary>
    public bool TryBeginProof(string bucket, PublishOperation operation)
        => Of(bucket, operation) == ConditionLevel.Unknown && _proofs.TryAdd((bucket, operation), true);

    /// <summary>Ends a check, with or without a result.</summary>
    public void EndProof(string bucket, PublishOperation operation) => _proofs.TryRemove((bucket, operation), out _);
}
