using Microsoft.Extensions.Logging;

namespace Transfer.S3.Trees;

/// <summary>Log messages of Trees: event ids 1600 to 1699, and 1802.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1601, EventName = "NameNotDownloadable", Level = LogLevel.Warning,
        Message = "'{Path}' can be uploaded, but a directory download rejects its name: {Reason}. {Remedy}")]
    internal static partial void NameNotDownloadable(ILogger logger, string path, string reason, string remedy);

    [LoggerMessage(EventId = 1602, EventName = "NamesNotDownloadable", Level = LogLevel.Warning,
        Message = "A directory download rejects the names of {Count} uploaded files. Only the first one was logged")]
    internal static partial void NamesNotDownloadable(ILogger logger, long count);

    [LoggerMessage(EventId = 1603, EventName = "DanglingLink", Level = LogLevel.Warning,
        Message = "'{Path}' was left out, because it is a symbolic link to something that doesn't exist. SymbolicLinks.Skip leaves out all links")]
    internal static partial void DanglingLink(ILogger logger, string path);

    [LoggerMessage(EventId = 1604, EventName = "DanglingLinks", Level = LogLevel.Warning,
        Message = "{Count} symbolic links to something that doesn't exist were left out. Only the first one was logged")]
    internal static partial void DanglingLinks(ILogger logger, long count);

    [LoggerMessage(EventId = 1605, EventName = "TransferFiles", Level = LogLevel.Warning,
        Message = "Partial files of downloads that are running or were interrupted were left out: {Count}, such as '{Path}'")]
    internal static partial void TransferFiles(ILogger logger, long count, string path);

    [LoggerMessage(EventId = 1606, EventName = "OwnFile", Level = LogLevel.Information,
        Message = "'{Path}' was left out, because this program writes it")]
    internal static partial void OwnFile(ILogger logger, string path);

    [LoggerMessage(EventId = 1607, EventName = "PublicationGoesOn", Level = LogLevel.Information,
        Message = "An earlier run was interrupted while it published objects to {Target}. The rest of them is published now")]
    internal static partial void PublicationGoesOn(ILogger logger, string target);

    [LoggerMessage(EventId = 1608, EventName = "NotPublished", Level = LogLevel.Warning,
        Message = "{Object} was not published, although an earlier run had begun to publish it together with others: {Reason}")]
    internal static partial void NotPublished(ILogger logger, string @object, string reason);

    [LoggerMessage(EventId = 1802, EventName = "NoSyncState", Level = LogLevel.Warning,
        Message = "The state of a synchronization can't be kept in '{Path}', so the next one compares everything again: {Reason}")]
    internal static partial void NoState(ILogger logger, string path, string reason);
}
