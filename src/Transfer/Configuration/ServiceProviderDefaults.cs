using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Transfer.S3.Configuration;

/// <summary>Sets options that are not configured to services of the container.</summary>
internal sealed class ServiceProviderDefaults(IServiceProvider services) : IPostConfigureOptions<TransferClientOptions>
{
    public void PostConfigure(string? name, TransferClientOptions options)
    {
        options.Name = name ?? string.Empty;
        options.LoggerFactory ??= services.GetService<ILoggerFactory>();
        options.MeterFactory ??= services.GetService<IMeterFactory>();
        if (options.Advanced.TimeProvider == TimeProvider.System && services.GetService<TimeProvider>() is { } time)
        {
            options.Advanced.TimeProvider = time;
        }
    }
}
