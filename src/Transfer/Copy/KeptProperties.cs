using Transfer.Upload;

namespace Transfer.Copy;

/// <summary>The headers, metadata, and tags of a source that its copy in another store keeps.</summary>
internal static class KeptProperties
{
    /// <summary>Adds the properties of the source to the options of the target. Properties that the options set are kept.</summary>
    /// <param name="target">The options of the target.</param>
    /// <param name="info">The properties of the source.</param>
    /// <param name="tags">The tags of the source.</param>
    /// <param name="lost">Receives the names of the properties that can't be sent. Some stores return values that they would reject.</param>
    public static UploadOptions AddTo(UploadOptions target, ObjectInfo info, IReadOnlyDictionary<string, string>? tags, List<string> lost)
    {
        return target with
        {
            ContentType = target.ContentType ?? Sendable("Content-Type", info.ContentType),
            CacheControl = target.CacheControl ?? Sendable("Cache-Control", info.CacheControl),
            ContentDisposition = target.ContentDisposition ?? Sendable("Content-Disposition", info.ContentDisposition),
            ContentEncoding = target.ContentEncoding ?? Sendable("Content-Encoding", info.ContentEncoding),
            ContentLanguage = target.ContentLanguage ?? Sendable("Content-Language", info.ContentLanguage),
            Expires = target.Expires ?? info.Expires,
            Metadata = target.Metadata ?? MetadataOf(),
            Tags = target.Tags ?? tags,
        };

        Dictionary<string, string> MetadataOf()
        {
            Dictionary<string, string> kept = [];
            foreach ((string name, string value) in info.Metadata)
            {
                if (value.Length == 0 || Sendable($"metadata '{name}'", value) is not null)
                {
                    kept[name] = value.Trim(' ');
                }
            }

            if (target.KeepLastModified && info.LastModified is { } modified && !kept.ContainsKey(Wire.ModificationTime.Name))
            {
                kept[Wire.ModificationTime.Name] = Wire.ModificationTime.Format(modified);
            }

            return kept;
        }

        string? Sendable(string name, string? value)
        {
            string trimmed = value?.Trim(' ') ?? string.Empty;
            if (trimmed.Length == 0)
            {
                return null;
            }

            if (HeaderGuard.IsPlain(trimmed))
            {
                return trimmed;
            }

            lost.Add(name);
            return null;
        }
    }
}
