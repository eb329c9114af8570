using Transfer.S3.Stores;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Wire;

/// <summary>
/// Chooses what sends the requests for a bucket, once: the library's own connections, or the SDK for a mock, a decorator, and buckets that only the SDK can sign for
/// (directory buckets, multi-Region access points, S3 Object Lambda, Outposts).
/// </summary>
internal sealed class WireRouter(IObjectWire sdk, HttpWire? own, StoreProfile profile, bool keepsSecrets) : IDisposable
{
    /// <summary>Gets a value that indicates whether requests are protected on the network, because they are sent over TLS or to this machine.</summary>
    public bool KeepsSecrets => keepsSecrets;

    /// <summary>Gets what is known about the store, which all transfers share.</summary>
    public StoreProfile Profile => profile;

    public IObjectWire For(string bucket) => own?.CanSend(bucket) == true ? own : sdk;

    /// <summary>Chooses for a copy. It names its source in a header, so both buckets decide which signature is needed.</summary>
    public IObjectWire For(string source, string target) => For(source) == sdk ? sdk : For(target);

    public void Dispose() => own?.Dispose();
}
