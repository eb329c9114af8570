using System.Collections.Concurrent;

namespace Transfer.S3.Server.Signing;

/// <summary>The access keys of a server: the one of its options, and those that were added.</summary>
internal sealed class AccessKeyTable(ResolvedOptions options)
{
    private readonly AccessKey _own = new(options.SecretAccessKey);
    private readonly ConcurrentDictionary<string, AccessKey> _added = new(StringComparer.Ordinal);

    public void Add(string id, AccessKey key) => _added[id] = key;

    /// <summary>Gets a key; null if there is no such key.</summary>
    public AccessKey? Find(string id) => SigningKey.AreEqual(options.AccessKeyId, id) ? _own : _added.GetValueOrDefault(id);
}
