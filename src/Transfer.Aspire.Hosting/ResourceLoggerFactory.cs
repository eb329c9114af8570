using Microsoft.Extensions.Logging;

namespace Aspire.Hosting;

/// <summary>Writes what the server logs, also each request, to the log of its resource.</summary>
internal sealed class ResourceLoggerFactory(ILogger logger) : ILoggerFactory
{
    public ILogger CreateLogger(string categoryName) => logger;

    /// <exception cref="NotSupportedException">Thrown always.</exception>
    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("The log of a resource has no providers.");

    public void Dispose()
    {
        // the logger belongs to the resource
    }
}
