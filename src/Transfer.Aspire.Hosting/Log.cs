using Microsoft.Extensions.Logging;

namespace Aspire.Hosting;

/// <summary>Log messages of the resource. Ids 9100 to 9199; names are never changed.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 9101, EventName = "StartFailed", Level = LogLevel.Error, Message = "The S3 server '{Name}' could not start")]
    internal static partial void StartFailed(ILogger logger, Exception exception, string name);

    [LoggerMessage(EventId = 9102, EventName = "FaultsChanged", Level = LogLevel.Information, Message = "Simulated faults: {Description}")]
    internal static partial void Simulated(ILogger logger, string description);
}
