namespace Transfer.Server.Storage.Folder;

/// <summary>Something that is written down.</summary>
internal interface IRecord
{
    /// <summary>The version of its form.</summary>
    int Schema { get; }

    /// <summary>Whether it says all that it must, and nothing that can't be: it comes from a file, which anybody may have changed.</summary>
    bool IsSound();
}
