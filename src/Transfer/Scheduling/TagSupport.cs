namespace Transfer.Scheduling;

/// <summary>Remembers what a store returns about tags, so that no request is sent for objects that have none.</summary>
internal sealed class TagSupport
{
    private volatile bool _isUnsupported;
    private volatile bool _returnsCount;

    /// <summary>Gets or sets a value that indicates whether the store doesn't implement tags.</summary>
    public bool IsUnsupported
    {
        get => _isUnsupported;
        set => _isUnsupported = value;
    }

    /// <summary>
    /// Returns whether an object can have tags. Amazon S3 returns their number unless there are none (Amazon S3 API Reference, "GetObject"). A store that has never
    /// returned a number has to be asked.
    /// </summary>
    public bool MayHaveTags(ObjectInfo info)
    {
        if (info.TagCount is { } count)
        {
            _returnsCount = true;
            return count > 0;
        }

        return !_returnsCount && !_isUnsupported;
    }
}
