using Microsoft.Extensions.Logging;

namespace Transfer.S3.Stores;

/// <summary>Log messages of Stores: event IDs 1700 to 1799.</summary>
internal static partial class Log
{
    [LoggerMessage(EventId = 1701, EventName = "StoreTraitLearned", Message = "{Scope} does not support {Trait} ({Support}: {Reason}). {Consequence}")]
    internal static partial void StoreTraitLearned(ILogger logger, LogLevel level, string scope, string trait, StoreSupport support, string reason, string consequence);
}
