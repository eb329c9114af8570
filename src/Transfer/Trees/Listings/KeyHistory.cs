namespace Transfer.S3.Trees;

/// <summary>Finds what one key was at a time, in its versions and delete markers from the newest to the oldest.</summary>
/// <remarks>
/// The order of the store decides and not the times, because the time of a multipart upload is that of its beginning (Amazon S3 User Guide, "Working with object
/// metadata"). Only between a version and a delete marker do the times decide, because some stores list both kinds apart.
/// </remarks>
/// <param name="bucket">The bucket.</param>
/// <param name="key">The key.</param>
/// <param name="time">The time.</param>
internal sealed class KeyHistory(string bucket, string key, DateTimeOffset time)
{
    private ListedObject? _version;
    private ListedObject? _marker;
    private bool _isMarkerFirst;

    public string Key => key;

    /// <summary>Gets the object at the time; null if there was none.</summary>
    public ListedObject? Object => Marker is null ? _version : null;

    /// <summary>Gets the delete marker that hid the key at the time; null if none did.</summary>
    public ListedObject? Marker => _version is null || (_marker is not null && IsNewer(_marker, _version)) ? _marker : null;

    /// <summary>Gets the time of the oldest version that is younger than the time; null if there is none.</summary>
    public DateTimeOffset? Since { get; private set; }

    public void Add(ListedObject version)
    {
        if (version.LastModified is not { } stored)
        {
            throw new TransferException($"s3://{bucket}/{key}: the store lists version {version.VersionId} without its time, so it isn't known which version is the one of {time:O}.")
            {
                Bucket = bucket,
                Key = key,
            };
        }

        if (stored > time)
        {
            Since = version.IsDeleteMarker || Since < stored ? Since : stored;
        }
        else if (version.IsDeleteMarker)
        {
            _isMarkerFirst |= _version is null;
            _marker ??= version;
        }
        else
        {
            _version ??= version;
        }
    }

    private bool IsNewer(ListedObject marker, ListedObject version) => marker.IsLatest
        || (!version.IsLatest && (marker.LastModified == version.LastModified ? _isMarkerFirst : marker.LastModified > version.LastModified));
}
