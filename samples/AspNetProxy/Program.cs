using Amazon.S3;
using AspNetProxy;
using Microsoft.AspNetCore.Mvc;
using Samples;
using Transfer.S3;

await using SampleStore store = await SampleStore.OpenAsync();

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
builder.Services.AddSingleton<IAmazonS3>(store.S3);
builder.Services.AddTransfer(builder.Configuration.GetSection("Transfer"));
builder.Services.AddSingleton(services => new ObjectProxy(services.GetRequiredService<ITransferClient>(), store.Bucket));
builder.Services.AddProblemDetails();
builder.Services.AddExceptionHandler<StoreExceptionHandler>();

await using WebApplication app = builder.Build();
app.UseExceptionHandler();
app.MapMethods("/objects/{**key}", [HttpMethods.Get, HttpMethods.Head], (string key, HttpContext context, ObjectProxy objects) => objects.DownloadAsync(key, context));

// The same, but ASP.NET Core does what ObjectProxy.DownloadAsync does with ranges and conditions.
app.MapMethods("/files/{**key}", [HttpMethods.Get, HttpMethods.Head], (string key, HttpContext context, ObjectProxy objects) => objects.OpenFileAsync(key, context));

// Kestrel's limit of 30 MB would be too small. Choose one that suits the application.
app.MapPut("/objects/{**key}", (string key, HttpContext context, ObjectProxy objects) => objects.UploadAsync(key, context))
    .WithMetadata(new RequestSizeLimitAttribute(5L << 30));

await app.RunAsync();
