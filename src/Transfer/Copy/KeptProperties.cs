using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Copy;

/// <summary>
/// Decides about each header of the source's response: its copy has it, or it is named in <see cref="CopyResult.LostProperties"/>. Only headers that aren't properties of the
/// object (<see cref="TransportHeaders"/>) are left out.
/// </summary>
internal sealed class KeptProperties
{
    private const string EncryptionHeader = "x-amz-server-side-encryption";
    private const string CustomerKeyHeader = "x-amz-server-side-encryption-customer-algorithm";
    private const string AppliedByEveryBucket = "AES256";

    private readonly Dictionary<string, string> _metadata = [];
    private readonly List<string> _unsendable = [];
    private readonly List<string> _lost = [];
    private readonly UploadOptions _given;
    private readonly bool _sendsExpiresAsText;
    private HeaderValues _values;
    private bool _areTagsLost;

    /// <param name="source">The source, with all headers of the response.</param>
    /// <param name="given">The options of the target. What they set replaces a property of the source, which then isn't lost.</param>
    /// <param name="sendsExpiresAsText">Whether the target can be sent an Expires header that is no HTTP date.</param>
    public KeptProperties(ObjectHead source, UploadOptions given, bool sendsExpiresAsText)
    {
        (_given, _sendsExpiresAsText) = (given, sendsExpiresAsText);
        foreach ((string name, string value) in source.Headers)
        {
            Decide(name, value);
        }

        if (given.KeepLastModified && source.Info.LastModified is { } modified)
        {
            _metadata.TryAdd(ModificationTime.Name, ModificationTime.Format(modified));
        }

        Headers = new ObjectHeaders { Values = _values, Metadata = _metadata };
    }

    /// <summary>Gets the headers of the copy that come from the source.</summary>
    public ObjectHeaders Headers { get; private set; }

    /// <summary>Gets the encryption of the source, which the copy may not have; null if nothing can be lost.</summary>
    public string? Encryption { get; private set; }

    /// <summary>Adds the headers of the source to those that the options of the target have set.</summary>
    public ObjectHeaders AddTo(ObjectHeaders target) => target with
    {
        // The options of an upload guess a type from the key, but the source has another type, or none.
        Values = target.Values.With(ObjectHeader.ContentType, _given.ContentType).Or(Headers.Values),
        Metadata = target.Metadata ?? Headers.Metadata,
        Tags = target.Tags ?? Headers.Tags,
    };

    /// <summary>Reads the tags, unless the options of the target have others. The headers of an object only tell their number.</summary>
    public async Task ReadTagsAsync(TransferRun run, ObjectAddress address, ObjectInfo source, CancellationToken cancellationToken)
    {
        if (_given.Tags is null)
        {
            (IReadOnlyDictionary<string, string>? tags, _areTagsLost) = await TagLookup.RunAsync(run, address, source, cancellationToken).ConfigureAwait(false);
            Headers = Headers with { Tags = tags };
        }
    }

    /// <summary>Gets what the copy doesn't have, after it was published.</summary>
    /// <param name="published">The response to the request that published the copy.</param>
    /// <param name="isByStore">Whether the store has copied the headers by itself, with CopyObject.</param>
    public IReadOnlyList<string> LostBy(in PublishedObject published, bool isByStore)
        => [.. isByStore ? [] : _unsendable, .. _lost, .. EncryptionLostBy(published, Encryption), .. LostTags];

    /// <summary>Adds what is lost in any case to the description of an upload.</summary>
    public UploadDescription AddTo(UploadDescription upload) => upload with { Lost = [.. _unsendable, .. _lost, .. LostTags], SourceEncryption = Encryption };

    /// <summary>Gets the name of the encryption if the copy doesn't have that of the source.</summary>
    public static IReadOnlyList<string> EncryptionLostBy(in PublishedObject published, string? ofSource)
        => ofSource is not null && published.Encryption != ofSource ? [EncryptionHeader] : [];

    private IReadOnlyList<string> LostTags => _areTagsLost ? [TagLookup.Lost] : [];

    private void Decide(string name, string value)
    {
        if (TransportHeaders.Contains(name))
        {
            return;
        }

        if (name.StartsWith(ResponseHeader.MetadataPrefix, StringComparison.OrdinalIgnoreCase))
        {
            DecideMetadata(name[ResponseHeader.MetadataPrefix.Length..].ToLowerInvariant(), value.Trim(' '));
            return;
        }

        if (ObjectHeader.Find(name) is { IsKept: true } header)
        {
            bool canBeSent = header != ObjectHeader.Expires || _sendsExpiresAsText || HttpTime.Parse(value) is not null;
            _values = _values.With(header, Sendable(name, value, _given.Headers[header] is not null, canBeSent));
            return;
        }

        switch (name.ToLowerInvariant())
        {
            case EncryptionHeader:
                Encryption = IsEncryptionGiven || value == AppliedByEveryBucket ? null : value;
                break;
            case CustomerKeyHeader when IsEncryptionGiven:
            case "x-amz-storage-class" or "x-goog-storage-class" when _given.StorageClass is not null || value == "STANDARD":
            case "x-amz-object-lock-legal-hold" when value == "OFF":
            case "x-amz-object-lock-legal-hold" or "x-amz-object-lock-mode" or "x-amz-object-lock-retain-until-date" when _given.Lock is not null:
                break;
            case "x-amz-missing-meta":
                _unsendable.Add(name);
                break;
            default:
                _lost.Add(name);
                break;
        }
    }

    private bool IsEncryptionGiven => _given.Encryption is not null || _given.CustomerKey is not null;

    private void DecideMetadata(string name, string value)
    {
        if (value.Length == 0 || Sendable($"metadata '{name}'", value, _given.Metadata is not null) is not null)
        {
            _metadata[name] = value;
        }
    }

    /// <summary>Gets a value if it can be sent. Some stores return values that they would reject.</summary>
    private string? Sendable(string name, string value, bool isReplaced, bool canBeSent = true)
    {
        string trimmed = value.Trim(' ');
        if (canBeSent && trimmed.Length > 0 && HeaderGuard.IsPlain(trimmed))
        {
            return trimmed;
        }

        if (trimmed.Length > 0 && !isReplaced)
        {
            _unsendable.Add(name);
        }

        return null;
    }
}
